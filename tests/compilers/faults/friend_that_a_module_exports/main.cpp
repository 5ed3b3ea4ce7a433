// SPDX-License-Identifier: MIT
import user;

int main() { (void)own(); }
