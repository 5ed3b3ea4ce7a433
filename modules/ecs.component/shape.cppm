// SPDX-License-Identifier: MIT
// How a value with a given number of members is begun and taken apart: one line for each number, because
// C++20 has no way to say it for all numbers at once. The lines are in groups, because a translation unit
// reads a function as a whole, and most types have few members.
export module ecs.component:shape;
import ecs.std;

export namespace ecs {

inline constexpr std::size_t parts_max = 32; ///< The most members of an aggregate that the compiler finds.

/// A value that is never made, so that the places of its members can be asked for.
template <class T> union phantom {
    char nothing;
    char bytes[sizeof(T)]; ///< The places of these bytes are known.
    T value;

    constexpr phantom() : nothing() {}
    constexpr ~phantom() {}
};
template <class T> inline phantom<T> phantom_of;

template <class T, std::size_t Count, class... Last> [[nodiscard]] consteval bool takes_up_to_4() {
    if constexpr (Count == 0)
        return requires { T{Last{}...}; };
    else if constexpr (Count == 1)
        return requires { T{{}, Last{}...}; };
    else if constexpr (Count == 2)
        return requires { T{{}, {}, Last{}...}; };
    else if constexpr (Count == 3)
        return requires { T{{}, {}, {}, Last{}...}; };
    else
        return requires { T{{}, {}, {}, {}, Last{}...}; };
}
template <class T, std::size_t Count, class... Last> [[nodiscard]] consteval bool takes_up_to_8() {
    if constexpr (Count == 5)
        return requires { T{{}, {}, {}, {}, {}, Last{}...}; };
    else if constexpr (Count == 6)
        return requires { T{{}, {}, {}, {}, {}, {}, Last{}...}; };
    else if constexpr (Count == 7)
        return requires { T{{}, {}, {}, {}, {}, {}, {}, Last{}...}; };
    else
        return requires { T{{}, {}, {}, {}, {}, {}, {}, {}, Last{}...}; };
}
template <class T, std::size_t Count, class... Last> [[nodiscard]] consteval bool takes_up_to_12() {
    if constexpr (Count == 9)
        return requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, Last{}...}; };
    else if constexpr (Count == 10)
        return requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, Last{}...}; };
    else if constexpr (Count == 11)
        return requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, Last{}...}; };
    else
        return requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, Last{}...}; };
}
template <class T, std::size_t Count, class... Last> [[nodiscard]] consteval bool takes_up_to_16() {
    if constexpr (Count == 13)
        return requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, Last{}...}; };
    else if constexpr (Count == 14)
        return requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, Last{}...}; };
    else if constexpr (Count == 15)
        return requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, Last{}...}; };
    else
        return requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, Last{}...}; };
}
template <class T, std::size_t Count, class... Last> [[nodiscard]] consteval bool takes_up_to_20() {
    if constexpr (Count == 17)
        return requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, Last{}...}; };
    else if constexpr (Count == 18)
        return requires {
            T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, Last{}...};
        };
    else if constexpr (Count == 19)
        return requires {
            T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, Last{}...};
        };
    else
        return requires {
            T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, Last{}...};
        };
}
template <class T, std::size_t Count, class... Last> [[nodiscard]] consteval bool takes_up_to_24() {
    if constexpr (Count == 21)
        return requires {
            T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, Last{}...};
        };
    else if constexpr (Count == 22)
        return requires {
            T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},       {},
              {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, Last{}...};
        };
    else if constexpr (Count == 23)
        return requires {
            T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},
              {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, Last{}...};
        };
    else
        return requires {
            T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},       {},
              {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, Last{}...};
        };
}
template <class T, std::size_t Count, class... Last> [[nodiscard]] consteval bool takes_up_to_28() {
    if constexpr (Count == 25)
        return requires {
            T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},
              {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, Last{}...};
        };
    else if constexpr (Count == 26)
        return requires {
            T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},       {},
              {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, Last{}...};
        };
    else if constexpr (Count == 27)
        return requires {
            T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},
              {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, Last{}...};
        };
    else
        return requires {
            T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},       {},
              {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, Last{}...};
        };
}
template <class T, std::size_t Count, class... Last> [[nodiscard]] consteval bool takes_up_to_32() {
    if constexpr (Count == 29)
        return requires {
            T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},
              {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, Last{}...};
        };
    else if constexpr (Count == 30)
        return requires {
            T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},       {},
              {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, Last{}...};
        };
    else if constexpr (Count == 31)
        return requires {
            T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},
              {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, Last{}...};
        };
    else
        return requires {
            T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},       {},
              {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, Last{}...};
        };
}
/// Used only to learn whether there are more parts than can be taken apart.
template <class T, class... Last> [[nodiscard]] consteval bool takes_too_many() {
    return requires {
        T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},
          {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, Last{}...};
    };
}

/// Whether T has that many parts that begin from nothing, and another part that begins from Last, if Last is
/// given.
template <class T, std::size_t Count, class... Last> [[nodiscard]] consteval bool takes() {
    if constexpr (Count <= 4)
        return takes_up_to_4<T, Count, Last...>();
    else if constexpr (Count <= 8)
        return takes_up_to_8<T, Count, Last...>();
    else if constexpr (Count <= 12)
        return takes_up_to_12<T, Count, Last...>();
    else if constexpr (Count <= 16)
        return takes_up_to_16<T, Count, Last...>();
    else if constexpr (Count <= 20)
        return takes_up_to_20<T, Count, Last...>();
    else if constexpr (Count <= 24)
        return takes_up_to_24<T, Count, Last...>();
    else if constexpr (Count <= 28)
        return takes_up_to_28<T, Count, Last...>();
    else if constexpr (Count <= 32)
        return takes_up_to_32<T, Count, Last...>();
    else
        return takes_too_many<T, Last...>();
}

template <class T, std::size_t Count, class Collect> [[nodiscard]] consteval auto split_up_to_4() {
    if constexpr (Count == 1) {
        auto& [a] = phantom_of<T>.value;
        if constexpr (requires { Collect::template from<T, &a>(); }) return Collect::template from<T, &a>();
    } else if constexpr (Count == 2) {
        auto& [a, b] = phantom_of<T>.value;
        if constexpr (requires { Collect::template from<T, &a, &b>(); })
            return Collect::template from<T, &a, &b>();
    } else if constexpr (Count == 3) {
        auto& [a, b, c] = phantom_of<T>.value;
        if constexpr (requires { Collect::template from<T, &a, &b, &c>(); })
            return Collect::template from<T, &a, &b, &c>();
    } else {
        auto& [a, b, c, d] = phantom_of<T>.value;
        if constexpr (requires { Collect::template from<T, &a, &b, &c, &d>(); })
            return Collect::template from<T, &a, &b, &c, &d>();
    }
}
template <class T, std::size_t Count, class Collect> [[nodiscard]] consteval auto split_up_to_8() {
    if constexpr (Count == 5) {
        auto& [a, b, c, d, e] = phantom_of<T>.value;
        if constexpr (requires { Collect::template from<T, &a, &b, &c, &d, &e>(); })
            return Collect::template from<T, &a, &b, &c, &d, &e>();
    } else if constexpr (Count == 6) {
        auto& [a, b, c, d, e, f] = phantom_of<T>.value;
        if constexpr (requires { Collect::template from<T, &a, &b, &c, &d, &e, &f>(); })
            return Collect::template from<T, &a, &b, &c, &d, &e, &f>();
    } else if constexpr (Count == 7) {
        auto& [a, b, c, d, e, f, g] = phantom_of<T>.value;
        if constexpr (requires { Collect::template from<T, &a, &b, &c, &d, &e, &f, &g>(); })
            return Collect::template from<T, &a, &b, &c, &d, &e, &f, &g>();
    } else {
        auto& [a, b, c, d, e, f, g, h] = phantom_of<T>.value;
        if constexpr (requires { Collect::template from<T, &a, &b, &c, &d, &e, &f, &g, &h>(); })
            return Collect::template from<T, &a, &b, &c, &d, &e, &f, &g, &h>();
    }
}
template <class T, std::size_t Count, class Collect> [[nodiscard]] consteval auto split_up_to_12() {
    if constexpr (Count == 9) {
        auto& [a, b, c, d, e, f, g, h, i] = phantom_of<T>.value;
        if constexpr (requires { Collect::template from<T, &a, &b, &c, &d, &e, &f, &g, &h, &i>(); })
            return Collect::template from<T, &a, &b, &c, &d, &e, &f, &g, &h, &i>();
    } else if constexpr (Count == 10) {
        auto& [a, b, c, d, e, f, g, h, i, j] = phantom_of<T>.value;
        if constexpr (requires { Collect::template from<T, &a, &b, &c, &d, &e, &f, &g, &h, &i, &j>(); })
            return Collect::template from<T, &a, &b, &c, &d, &e, &f, &g, &h, &i, &j>();
    } else if constexpr (Count == 11) {
        auto& [a, b, c, d, e, f, g, h, i, j, k] = phantom_of<T>.value;
        if constexpr (requires { Collect::template from<T, &a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k>(); })
            return Collect::template from<T, &a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k>();
    } else {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l] = phantom_of<T>.value;
        if constexpr (requires {
                          Collect::template from<T, &a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k, &l>();
                      })
            return Collect::template from<T, &a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k, &l>();
    }
}
template <class T, std::size_t Count, class Collect> [[nodiscard]] consteval auto split_up_to_16() {
    if constexpr (Count == 13) {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = phantom_of<T>.value;
        if constexpr (requires {
                          Collect::template from<T, &a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k, &l, &m>();
                      })
            return Collect::template from<T, &a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k, &l, &m>();
    } else if constexpr (Count == 14) {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = phantom_of<T>.value;
        if constexpr (requires {
                          Collect::template from<T, &a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k, &l, &m, &n>();
                      })
            return Collect::template from<T, &a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k, &l, &m, &n>();
    } else if constexpr (Count == 15) {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o] = phantom_of<T>.value;
        if constexpr (requires {
                          Collect::template from<T, &a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k, &l, &m, &n,
                                                 &o>();
                      })
            return Collect::template from<T, &a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k, &l, &m, &n, &o>();
    } else {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = phantom_of<T>.value;
        if constexpr (requires {
                          Collect::template from<T, &a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k, &l, &m, &n,
                                                 &o, &p>();
                      })
            return Collect::template from<T, &a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k, &l, &m, &n, &o,
                                          &p>();
    }
}
template <class T, std::size_t Count, class Collect> [[nodiscard]] consteval auto split_up_to_20() {
    if constexpr (Count == 17) {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q] = phantom_of<T>.value;
        if constexpr (requires {
                          Collect::template from<T, &a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k, &l, &m, &n,
                                                 &o, &p, &q>();
                      })
            return Collect::template from<T, &a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k, &l, &m, &n, &o, &p,
                                          &q>();
    } else if constexpr (Count == 18) {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r] = phantom_of<T>.value;
        if constexpr (requires {
                          Collect::template from<T, &a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k, &l, &m, &n,
                                                 &o, &p, &q, &r>();
                      })
            return Collect::template from<T, &a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k, &l, &m, &n, &o, &p,
                                          &q, &r>();
    } else if constexpr (Count == 19) {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s] = phantom_of<T>.value;
        if constexpr (requires {
                          Collect::template from<T, &a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k, &l, &m, &n,
                                                 &o, &p, &q, &r, &s>();
                      })
            return Collect::template from<T, &a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k, &l, &m, &n, &o, &p,
                                          &q, &r, &s>();
    } else {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t] = phantom_of<T>.value;
        if constexpr (requires {
                          Collect::template from<T, &a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k, &l, &m, &n,
                                                 &o, &p, &q, &r, &s, &t>();
                      })
            return Collect::template from<T, &a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k, &l, &m, &n, &o, &p,
                                          &q, &r, &s, &t>();
    }
}
template <class T, std::size_t Count, class Collect> [[nodiscard]] consteval auto split_up_to_24() {
    if constexpr (Count == 21) {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u] = phantom_of<T>.value;
        if constexpr (requires {
                          Collect::template from<T, &a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k, &l, &m, &n,
                                                 &o, &p, &q, &r, &s, &t, &u>();
                      })
            return Collect::template from<T, &a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k, &l, &m, &n, &o, &p,
                                          &q, &r, &s, &t, &u>();
    } else if constexpr (Count == 22) {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v] = phantom_of<T>.value;
        if constexpr (requires {
                          Collect::template from<T, &a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k, &l, &m, &n,
                                                 &o, &p, &q, &r, &s, &t, &u, &v>();
                      })
            return Collect::template from<T, &a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k, &l, &m, &n, &o, &p,
                                          &q, &r, &s, &t, &u, &v>();
    } else if constexpr (Count == 23) {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w] = phantom_of<T>.value;
        if constexpr (requires {
                          Collect::template from<T, &a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k, &l, &m, &n,
                                                 &o, &p, &q, &r, &s, &t, &u, &v, &w>();
                      })
            return Collect::template from<T, &a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k, &l, &m, &n, &o, &p,
                                          &q, &r, &s, &t, &u, &v, &w>();
    } else {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x] = phantom_of<T>.value;
        if constexpr (requires {
                          Collect::template from<T, &a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k, &l, &m, &n,
                                                 &o, &p, &q, &r, &s, &t, &u, &v, &w, &x>();
                      })
            return Collect::template from<T, &a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k, &l, &m, &n, &o, &p,
                                          &q, &r, &s, &t, &u, &v, &w, &x>();
    }
}
template <class T, std::size_t Count, class Collect> [[nodiscard]] consteval auto split_up_to_28() {
    if constexpr (Count == 25) {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y] =
            phantom_of<T>.value;
        if constexpr (requires {
                          Collect::template from<T, &a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k, &l, &m, &n,
                                                 &o, &p, &q, &r, &s, &t, &u, &v, &w, &x, &y>();
                      })
            return Collect::template from<T, &a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k, &l, &m, &n, &o, &p,
                                          &q, &r, &s, &t, &u, &v, &w, &x, &y>();
    } else if constexpr (Count == 26) {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z] =
            phantom_of<T>.value;
        if constexpr (requires {
                          Collect::template from<T, &a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k, &l, &m, &n,
                                                 &o, &p, &q, &r, &s, &t, &u, &v, &w, &x, &y, &z>();
                      })
            return Collect::template from<T, &a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k, &l, &m, &n, &o, &p,
                                          &q, &r, &s, &t, &u, &v, &w, &x, &y, &z>();
    } else if constexpr (Count == 27) {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, ma] =
            phantom_of<T>.value;
        if constexpr (requires {
                          Collect::template from<T, &a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k, &l, &m, &n,
                                                 &o, &p, &q, &r, &s, &t, &u, &v, &w, &x, &y, &z, &ma>();
                      })
            return Collect::template from<T, &a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k, &l, &m, &n, &o, &p,
                                          &q, &r, &s, &t, &u, &v, &w, &x, &y, &z, &ma>();
    } else {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, ma, mb] =
            phantom_of<T>.value;
        if constexpr (requires {
                          Collect::template from<T, &a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k, &l, &m, &n,
                                                 &o, &p, &q, &r, &s, &t, &u, &v, &w, &x, &y, &z, &ma, &mb>();
                      })
            return Collect::template from<T, &a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k, &l, &m, &n, &o, &p,
                                          &q, &r, &s, &t, &u, &v, &w, &x, &y, &z, &ma, &mb>();
    }
}
template <class T, std::size_t Count, class Collect> [[nodiscard]] consteval auto split_up_to_30() {
    if constexpr (Count == 29) {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, ma, mb, mc] =
            phantom_of<T>.value;
        if constexpr (requires {
                          Collect::template from<T, &a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k, &l, &m, &n,
                                                 &o, &p, &q, &r, &s, &t, &u, &v, &w, &x, &y, &z, &ma, &mb,
                                                 &mc>();
                      })
            return Collect::template from<T, &a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k, &l, &m, &n, &o, &p,
                                          &q, &r, &s, &t, &u, &v, &w, &x, &y, &z, &ma, &mb, &mc>();
    } else {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, ma, mb, mc, md] =
            phantom_of<T>.value;
        if constexpr (requires {
                          Collect::template from<T, &a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k, &l, &m, &n,
                                                 &o, &p, &q, &r, &s, &t, &u, &v, &w, &x, &y, &z, &ma, &mb,
                                                 &mc, &md>();
                      })
            return Collect::template from<T, &a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k, &l, &m, &n, &o, &p,
                                          &q, &r, &s, &t, &u, &v, &w, &x, &y, &z, &ma, &mb, &mc, &md>();
    }
}
template <class T, std::size_t Count, class Collect> [[nodiscard]] consteval auto split_up_to_32() {
    if constexpr (Count == 31) {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, ma, mb, mc, md,
               me] = phantom_of<T>.value;
        if constexpr (requires {
                          Collect::template from<T, &a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k, &l, &m, &n,
                                                 &o, &p, &q, &r, &s, &t, &u, &v, &w, &x, &y, &z, &ma, &mb,
                                                 &mc, &md, &me>();
                      })
            return Collect::template from<T, &a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k, &l, &m, &n, &o, &p,
                                          &q, &r, &s, &t, &u, &v, &w, &x, &y, &z, &ma, &mb, &mc, &md, &me>();
    } else {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, ma, mb, mc, md,
               me, mf] = phantom_of<T>.value;
        if constexpr (requires {
                          Collect::template from<T, &a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k, &l, &m, &n,
                                                 &o, &p, &q, &r, &s, &t, &u, &v, &w, &x, &y, &z, &ma, &mb,
                                                 &mc, &md, &me, &mf>();
                      })
            return Collect::template from<T, &a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k, &l, &m, &n, &o, &p,
                                          &q, &r, &s, &t, &u, &v, &w, &x, &y, &z, &ma, &mb, &mc, &md, &me,
                                          &mf>();
    }
}
/// The result of Collect for the places of all members; nothing when it refuses one of them, or a member has
/// no place because it is a bit-field.
template <class T, std::size_t Count, class Collect> [[nodiscard]] consteval auto split() {
    if constexpr (Count <= 4)
        return split_up_to_4<T, Count, Collect>();
    else if constexpr (Count <= 8)
        return split_up_to_8<T, Count, Collect>();
    else if constexpr (Count <= 12)
        return split_up_to_12<T, Count, Collect>();
    else if constexpr (Count <= 16)
        return split_up_to_16<T, Count, Collect>();
    else if constexpr (Count <= 20)
        return split_up_to_20<T, Count, Collect>();
    else if constexpr (Count <= 24)
        return split_up_to_24<T, Count, Collect>();
    else if constexpr (Count <= 28)
        return split_up_to_28<T, Count, Collect>();
    else if constexpr (Count <= 30)
        return split_up_to_30<T, Count, Collect>();
    else
        return split_up_to_32<T, Count, Collect>();
}

} // namespace ecs
