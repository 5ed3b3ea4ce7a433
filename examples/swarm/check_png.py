#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_png.py PICTURE EXPECTED: decodes a PNG file with a palette, without libpng, and compares what is found with the text of a
file: width and height, colours of the palette, pixels that are not dark, and a checksum of all pixels. Prints both texts and ends
with 1 when they differ."""
import pathlib
import struct
import sys
import zlib


def chunks(data):
    """The kind and the bytes of each chunk, whose checksum is right."""
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        sys.exit("this is no PNG file")
    at = 8
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        if struct.unpack(">I", data[at + 8 + size:at + 12 + size])[0] != zlib.crc32(kind + body):
            sys.exit(f"the checksum of {kind} is wrong")
        yield kind, body
        at += 12 + size


def predicted(kind, left, above, corner):
    """What a filter expects of a byte: it is nothing, one of its neighbours, or a mean of them."""
    if kind == 4:
        guess = left + above - corner
        return min((left, above, corner), key=lambda near: abs(guess - near))
    return (0, left, above, (left + above) // 2)[kind]


def lines(packed, width, height):
    raw = zlib.decompress(packed)
    if len(raw) != height * (width + 1):
        sys.exit(f"{len(raw)} bytes are not {height} lines of {width} pixels")
    before = bytes(width)
    for row in range(height):
        kind, line = raw[row * (width + 1)], bytearray(raw[row * (width + 1) + 1:(row + 1) * (width + 1)])
        for i in range(width):
            left, corner = (line[i - 1], before[i - 1]) if i else (0, 0)
            line[i] = (line[i] + predicted(kind, left, before[i], corner)) % 256
        yield bytes(line)
        before = line


def described(file):
    found = {}
    for kind, body in chunks(file.read_bytes()):
        found[kind] = found.get(kind, b"") + body
    width, height, depth, colours = struct.unpack(">IIBB", found[b"IHDR"][:10])
    if (depth, colours) != (8, 3):
        sys.exit("a palette with a byte for each pixel is expected")
    pixels = b"".join(lines(found[b"IDAT"], width, height))
    lit = sum(pixel % 16 != 0 for pixel in pixels)
    return f"{width} x {height}, {len(found[b'PLTE']) // 3} colours, {lit} bright pixels, checksum {zlib.crc32(pixels):08x}\n"


def main():
    text, expected = described(pathlib.Path(sys.argv[1])), pathlib.Path(sys.argv[2]).read_text(encoding="utf-8")
    print(f"{sys.argv[1]}: {text}")
    if text != expected:
        sys.exit(f"expected: {expected}")


main()
