// SPDX-License-Identifier: MIT
#include "png_file.hpp"
#include <png.h>
#include <stdexcept>

namespace swarm {

void write_png(canvas& from, const std::filesystem::path& file) {
    static_assert(sizeof(rgb) == 3, "libpng reads the palette byte by byte");
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = from.width();
    image.height = from.height();
    image.format = PNG_FORMAT_RGB_COLORMAP;
    image.colormap_entries = static_cast<png_uint_32>(from.palette().size());
    if (png_image_write_to_file(&image, file.c_str(), 0, from.develop().data(), 0, from.palette().data()) ==
        0)
        throw std::runtime_error(file.string() + " cannot be written: " + image.message);
}

} // namespace swarm
