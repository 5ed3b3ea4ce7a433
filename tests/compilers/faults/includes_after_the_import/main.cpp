// SPDX-License-Identifier: MIT
// A program includes a header of the standard library after it imported a module that includes it, too.
import numbers;
#include <numeric>

int main() {
    const int values[] = {1, 2, 3};
    return std::accumulate(values, values + 3, 0) == 6 ? 0 : 1;
}
