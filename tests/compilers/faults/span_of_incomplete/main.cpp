// SPDX-License-Identifier: MIT
// A program names a span whose element is a specialisation that no module has completed where it is declared.
import library;
import id;
import entities;

void rename(std::span<const entity>);

int main() {}
