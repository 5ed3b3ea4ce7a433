// SPDX-License-Identifier: MIT
// A program that is compiled without optimisation imports a module that was compiled with it, and includes a
// header of the standard library that the module includes, too.
#include <string>
import text;

int main() {}
