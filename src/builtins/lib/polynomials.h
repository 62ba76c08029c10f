// SPDX-License-Identifier: MIT
// Made by tools/gen_polynomials.py, which says how. Errors are those of the
// polynomial against the function, relative to the final result.
// clang-format off
#ifndef TF_BUILTINS_LIB_POLYNOMIALS_H
#define TF_BUILTINS_LIB_POLYNOMIALS_H

// e^r = 1 + r + r^2 P(r), |r| <= ln(2)/2; error 2^-28.3.
#define TFP_EXP_float(x)                                                                \
    ((((0x1.6a2464p-10f * (x) + 0x1.1239d4p-7f) * (x) + 0x1.5558fp-5f) * (x) +          \
    0x1.555492p-3f) * (x) + 0x1.fffffcp-2f)

// e^r = 1 + r + r^2 P(r), |r| <= ln(2)/2; error 2^-57.9.
#define TFP_EXP_double(x)                                                               \
    (((((((((0x1.ad7f3efa4e092p-26 * (x) + 0x1.28ad68b1b3967p-22) * (x) +               \
    0x1.71df2561775cbp-19) * (x) + 0x1.a0199a16e6d9ep-16) * (x) +                       \
    0x1.a01a012a57a75p-13) * (x) + 0x1.6c16c1842660ap-10) * (x) +                       \
    0x1.1111111127bd1p-7) * (x) + 0x1.555555555088cp-5) * (x) + 0x1.55555555554fap-3)   \
    * (x) + 0x1.000000000000ap-1)

// 2^r = 1 + r P(r), |r| <= 1/2; error 2^-28.9.
#define TFP_EXP2_float(x)                                                               \
    (((((0x1.41fbb6p-13f * (x) + 0x1.5f3e54p-10f) * (x) + 0x1.3b2d4cp-7f) * (x) +       \
    0x1.c6aee8p-5f) * (x) + 0x1.ebfbdcp-3f) * (x) + 0x1.62e43p-1f)

// 2^r = 1 + r P(r), |r| <= 1/2; error 2^-58.0.
#define TFP_EXP2_double(x)                                                              \
    ((((((((((0x1.e79bab47e1fdp-32 * (x) + 0x1.e61b4f29b508fp-28) * (x) +               \
    0x1.b5267ce41e973p-24) * (x) + 0x1.62bfc79d9a64bp-20) * (x) +                       \
    0x1.ffcbfba9816b5p-17) * (x) + 0x1.4309130ed8a78p-13) * (x) +                       \
    0x1.5d87fe78cd6bfp-10) * (x) + 0x1.3b2ab6fba011bp-7) * (x) + 0x1.c6b08d7049fe8p-5)  \
    * (x) + 0x1.ebfbdff82c5a4p-3) * (x) + 0x1.62e42fefa39efp-1)

// 10^r = 1 + r P(r), |r| <= log10(2)/2; error 2^-28.9.
#define TFP_EXP10_float(x)                                                              \
    (((((0x1.a68bf2p-3f * (x) + 0x1.158454p-1f) * (x) + 0x1.2bd9d6p+0f) * (x) +         \
    0x1.046f68p+1f) * (x) + 0x1.53524ap+1f) * (x) + 0x1.26bb1cp+1f)

// 10^r = 1 + r P(r), |r| <= log10(2)/2; error 2^-58.0.
#define TFP_EXP10_double(x)                                                             \
    ((((((((((0x1.f9958d474803ap-13 * (x) + 0x1.2f746a889e2b1p-10) * (x) +              \
    0x1.4898b4a6ff9a7p-8) * (x) + 0x1.41165e5c360d5p-6) * (x) + 0x1.16e4df63d17e8p-4)   \
    * (x) + 0x1.a7ed70a1e987fp-3) * (x) + 0x1.1429ffd1f3a22p-1) * (x) +                 \
    0x1.2bd7609fd4f2bp+0) * (x) + 0x1.0470591de2c29p+1) * (x) + 0x1.53524c73cea77p+1)   \
    * (x) + 0x1.26bb1bbb55516p+1)

// the same, for float results; error 2^-34.3.
#define TFP_EXP2_SHORT_double(x)                                                        \
    ((((((0x1.fde618081591ap-17 * (x) + 0x1.445c84d708179p-13) * (x) +                  \
    0x1.5d8a85e582b22p-10) * (x) + 0x1.3b29f39c0acbdp-7) * (x) + 0x1.c6b08ac08a73dp-5)  \
    * (x) + 0x1.ebfbe07788fa9p-3) * (x) + 0x1.62e42ff0e17a1p-1)

// log(1+f) = f - f^2/2 + f^3 P(f), 1+f in [sqrt(1/2), sqrt(2)]; error 2^-27.4.
#define TFP_LOG_float(x)                                                                \
    (((((((-0x1.38b608p-4f * (x) + 0x1.055ba6p-3f) * (x) + -0x1.0d8544p-3f) * (x) +     \
    0x1.22da14p-3f) * (x) + -0x1.547244p-3f) * (x) + 0x1.99a008p-3f) * (x) +            \
    -0x1.000228p-2f) * (x) + 0x1.555554p-2f)

// log(1+f) = f - f^2/2 + c f^3 + f^4 P(f), c of 24 bits, 1+f in [0.675, 1.35]; error 2^-30.0.
#define TFP_LOG_POW_float(x, z)                                                         \
    (((-0x1.051384p-3f * (z) + -0x1.f45cdap-4f) * (z) + -0x1.55920ap-3f) * (z) +        \
    -0x1.ffff34p-3f + (x) * (((0x1.b4b8d8p-4f * (z) + 0x1.c4ea5cp-4f) * (z) +           \
    0x1.24819p-3f) * (z) + 0x1.999a3cp-3f))

// log2(1+f) = f P(f), 1+f in [0.675, 1.35], for powers of halves; error 2^-19.8.
#define TFP_LOG2_HALF_float(x)                                                          \
    ((((((0x1.d34642p-3f * (x) + -0x1.1e8194p-2f) * (x) + 0x1.2725f8p-2f) * (x) +       \
    -0x1.6f006cp-2f) * (x) + 0x1.ec6a8p-2f) * (x) + -0x1.7158b4p-1f) * (x) +            \
    0x1.71547ap+0f)

// log2(1+f) = f P(f), 1+f in [sqrt(1/2), sqrt(2)], for half_log and its like; error 2^-19.8.
#define TFP_LOG2_FAST_float(x)                                                          \
    ((((((0x1.5f7cb8p-3f * (x) + -0x1.13c8bap-2f) * (x) + 0x1.2ecbdep-2f) * (x) +       \
    -0x1.6fff1ep-2f) * (x) + 0x1.ec296cp-2f) * (x) + -0x1.715692p-1f) * (x) +           \
    0x1.71548ep+0f)

// 2^r = 1 + r P(r), |r| <= 1/2, for powers of halves; error 2^-18.4.
#define TFP_EXP2_HALF_float(x)                                                          \
    (((0x1.3a02dp-7f * (x) + 0x1.c9fc48p-5f) * (x) + 0x1.ec0378p-3f) * (x) +            \
    0x1.62e12cp-1f)

// log((1+s)/(1-s)) = 2s + s^3 P(s^2), |s| <= 0.1716; error 2^-59.5.
#define TFP_LOG_double(x)                                                               \
    ((((((0x1.2f0568a84ffb1p-3 * (x) + 0x1.39a1ba314aa2fp-3) * (x) +                    \
    0x1.74663eedf6e1dp-3) * (x) + 0x1.c71c52093ed37p-3) * (x) + 0x1.24924941f151bp-2)   \
    * (x) + 0x1.999999997fdb3p-2) * (x) + 0x1.5555555555592p-1)

// the same, for float results; error 2^-44.9.
#define TFP_LOG_SHORT_double(x)                                                         \
    ((((0x1.9114d92cb67c9p-3 * (x) + 0x1.c62b204e516e9p-3) * (x) +                      \
    0x1.249411cd9a404p-2) * (x) + 0x1.999996a99101ep-2) * (x) + 0x1.555555561e2bap-1)

// log((1+s)/(1-s)) = 2s + 2/3 s^3 + s^5 P(s^2), for pow; error 2^-66.3.
#define TFP_LOG5_double(x)                                                              \
    ((((((0x1.0e42217f9156bp-3 * (x) + 0x1.0f7ff85a37e1fp-3) * (x) +                    \
    0x1.3b1eeb6bc787cp-3) * (x) + 0x1.745ce9e6ba742p-3) * (x) + 0x1.c71c722d5cdf1p-3)   \
    * (x) + 0x1.2492492457dc3p-2) * (x) + 0x1.9999999999b3p-2)

// 3/2 log((1+s)/(1-s)) = 3s + s^3 + s^5 P(s^2); error 2^-66.3.
#define TFP_LOG_POW_double(x, z, w)                                                     \
    ((((0x1.9563323f5a02p-3) * (z) + (0x1.973ff48753d2fp-3 * (x) +                      \
    0x1.d8ae6121ab4bbp-3))) * (w) + ((0x1.1745af6d0bd71p-2 * (x) +                      \
    0x1.555555a205a75p-2) * (z) + (0x1.b6db6db683ca5p-2 * (x) +                         \
    0x1.3333333333464p-1)))

// e^(2r/3) = 1 + 2/3 r + r^2 P(r), |r| <= 3/4 ln(2); error 2^-57.9.
#define TFP_EXP_POW_double(x, z, w)                                                     \
    (((((0x1.3dc981cf38a52p-32 * (x) + 0x1.49450d7a378bfp-28))) * (w) +                 \
    ((0x1.33e0f574efaaap-24 * (x) + 0x1.03c4e962d9b54p-20) * (z) +                      \
    (0x1.85a7be9a997c8p-17 * (x) + 0x1.ff6c2add71f4fp-14))) * (w) +                     \
    ((0x1.1facd809a51fbp-10 * (x) + 0x1.0db20a88f09eap-7) * (z) +                       \
    (0x1.948b0fcd6e974p-5 * (x) + 0x1.c71c71c71c72dp-3)))

// log2(1+r) = r/ln(2) - c r^2 + r^2 P(r), c = 1/(2 ln(2)) rounded, |r| <= 0.0314; error 2^-61.7.
#define TFP_LOG2_POW_double(x, z, w)                                                    \
    ((((-0x1.282e904eadb55p-3)) * (w) + ((0x1.48f08b036ef26p-3 * (x) +                  \
    -0x1.7154443e2673ep-3) * (z) + (0x1.a6173f8c93d8bp-3 * (x) +                        \
    -0x1.ec709dc99aa65p-3))) * (w) + ((0x1.2776c51071653p-2 * (x) +                     \
    -0x1.71547652b80b1p-2) * (z) + (0x1.ec709dc3a0361p-2 * (x) +                        \
    -0x1.b20c9709336cp-57)))

// 2^r = 1 + r P(r), |r| <= 1/32; error 2^-57.0.
#define TFP_EXP2_POW_double(x, z, w)                                                    \
    ((((0x1.430a9b149863fp-13 * (x) + 0x1.5d89bfab7149ap-10))) * (w) +                  \
    ((0x1.3b2ab6fa9557ap-7 * (x) + 0x1.c6b08d6e87868p-5) * (z) + (0x1.ebfbdff82c59dp-3  \
    * (x) + 0x1.62e42fefa39fdp-1)))

// the same, in fewer operations; error 2^-57.0.
#define TFP_EXP2_TABLE_double(x)                                                        \
    (((((0x1.430a9b149863fp-13 * (x) + 0x1.5d89bfab7149ap-10) * (x) +                   \
    0x1.3b2ab6fa9557ap-7) * (x) + 0x1.c6b08d6e87868p-5) * (x) + 0x1.ebfbdff82c59dp-3)   \
    * (x) + 0x1.62e42fefa39fdp-1)

// cosh r = 1 + r^2 P(r^2), |r| <= 5/8 ln(2); error 2^-31.8.
#define TFP_COSH_float(x)                                                               \
    ((0x1.6e6d44p-10f * (x) + 0x1.55535p-5f) * (x) + 0x1p-1f)

// sinh r = r + r^3 P(r^2), |r| <= 5/8 ln(2); error 2^-34.9.
#define TFP_SINH_float(x)                                                               \
    ((0x1.a22fa4p-13f * (x) + 0x1.11102ap-7f) * (x) + 0x1.555556p-3f)

// cosh r = 1 + r^2 P(r^2), |r| <= 5/8 ln(2); error 2^-54.2.
#define TFP_COSH_double(x)                                                              \
    ((((0x1.2921eaa2a9336p-22 * (x) + 0x1.a018fdb6312dep-16) * (x) +                    \
    0x1.6c16c1ccb44dbp-10) * (x) + 0x1.55555555360aep-5) * (x) + 0x1.0000000000069p-1)

// sinh r = r + r^3 P(r^2), |r| <= 5/8 ln(2); error 2^-57.9.
#define TFP_SINH_double(x)                                                              \
    ((((0x1.afeb4488242b7p-26 * (x) + 0x1.71dd99914b4aap-19) * (x) +                    \
    0x1.a01a01dc15948p-13) * (x) + 0x1.11111111074e7p-7) * (x) + 0x1.5555555555576p-3)

// sin r = r + r^3 P(r^2), |r| <= pi/4; error 2^-28.1.
#define TFP_SIN_float(x)                                                                \
    ((-0x1.994eb4p-13f * (x) + 0x1.11076p-7f) * (x) + -0x1.555546p-3f)

// the same, |r| <= pi/2; error 2^-27.3.
#define TFP_SIN_TURN_float(x)                                                           \
    (((0x1.5dbdecp-19f * (x) + -0x1.9f6ffep-13f) * (x) + 0x1.110ed4p-7f) * (x) +        \
    -0x1.55554cp-3f)

// sin r = r + r^3 P(r^2), |r| <= pi/4; error 2^-58.0.
#define TFP_SIN_double(x)                                                               \
    (((((0x1.5d932f926046ap-33 * (x) + -0x1.ae5e66d5b43e8p-26) * (x) +                  \
    0x1.71de3578751ccp-19) * (x) + -0x1.a01a019c126b6p-13) * (x) +                      \
    0x1.111111110f881p-7) * (x) + -0x1.5555555555549p-3)

// the same, |r| <= pi/2; error 2^-61.7.
#define TFP_SIN_TURN_double(x)                                                          \
    (((((((0x1.8829a3e51ffafp-49 * (x) + -0x1.ae431da154daep-41) * (x) +                \
    0x1.6123cb292435cp-33) * (x) + -0x1.ae6454cb57c37p-26) * (x) +                      \
    0x1.71de3a5287c82p-19) * (x) + -0x1.a01a01a0148bcp-13) * (x) +                      \
    0x1.11111111110c1p-7) * (x) + -0x1.5555555555555p-3)

// cos r = 1 - r^2/2 + r^4 P(r^2), |r| <= pi/4; error 2^-33.3.
#define TFP_COS_float(x)                                                                \
    ((0x1.9a025ap-16f * (x) + -0x1.6c0c8cp-10f) * (x) + 0x1.55554ap-5f)

// cos r = 1 - r^2/2 + r^4 P(r^2), |r| <= pi/4; error 2^-64.2.
#define TFP_COS_double(x)                                                               \
    (((((-0x1.8faed003c9c4bp-37 * (x) + 0x1.1ee9ec4956ca1p-29) * (x) +                  \
    -0x1.27e4f80a78ddfp-22) * (x) + 0x1.a01a019cb272bp-16) * (x) +                      \
    -0x1.6c16c16c15185p-10) * (x) + 0x1.555555555554cp-5)

// sin(pi d) = 2d + d P(d^2), |d| <= 1/2; error 2^-27.5.
#define TFP_SINPI_TURN_float(x)                                                         \
    ((((0x1.3dad7ep-4f * (x) + -0x1.324c9ep-1f) * (x) + 0x1.4668aep+1f) * (x) +         \
    -0x1.4abbc2p+2f) * (x) + 0x1.243f6ap+0f)

// sin(pi d) = 2d + d P(d^2), |d| <= 1/2; error 2^-61.8.
#define TFP_SINPI_TURN_double(x)                                                        \
    ((((((((0x1.9d19aef1ff2c2p-21 * (x) + -0x1.6f79672c3783ep-16) * (x) +               \
    0x1.e8f35e2c73c3ep-12) * (x) + -0x1.e3074ddb724d3p-8) * (x) +                       \
    0x1.5078348515715p-4) * (x) + -0x1.32d2cce6274b4p-1) * (x) + 0x1.466bc6775aa6cp+1)  \
    * (x) + -0x1.4abbce625be52p+2) * (x) + 0x1.243f6a8885a31p+0)

// atan r = r + r^3 P(r^2), |r| <= tan(pi/8); error 2^-30.5.
#define TFP_ATAN_float(x)                                                               \
    ((((-0x1.f25b26p-5f * (x) + 0x1.b2031cp-4f) * (x) + -0x1.23b6cap-3f) * (x) +        \
    0x1.9991aep-3f) * (x) + -0x1.55554ap-2f)

// atan r = r + r^3 P(r^2), |r| <= 1; error 2^-25.8.
#define TFP_ATAN_WHOLE_float(x, z)                                                      \
    (((-0x1.0c2bcp-6f * (z) + -0x1.35568cp-4f) * (z) + -0x1.230ad8p-3f) * (z) +         \
    -0x1.5554dcp-2f + (x) * (((0x1.7ed1acp-9f * (z) + 0x1.61fd88p-5f) * (z) +           \
    0x1.b4e114p-4f) * (z) + 0x1.9978f4p-3f))

// atan r = r + r^3 P(r^2), |r| <= tan(pi/8); error 2^-54.7.
#define TFP_ATAN_double(x)                                                              \
    (((((((((0x1.5ca798c97092ep-6 * (x) + -0x1.653d3aa3bf8a4p-5) * (x) +                \
    0x1.d2625a8b86215p-5) * (x) + -0x1.1006848bc5b84p-4) * (x) + 0x1.3afc5e6e6aed1p-4)  \
    * (x) + -0x1.745bc63a3ee2bp-4) * (x) + 0x1.c71c65f25cb66p-4) * (x) +                \
    -0x1.24924905ed916p-3) * (x) + 0x1.999999994ad93p-3) * (x) +                        \
    -0x1.5555555555324p-2)

// the same, |r| <= 0.0992; error 2^-27.5.
#define TFP_ATAN_TABLE_float(x)                                                         \
    (0x1.959f78p-3f * (x) + -0x1.5553cap-2f)

// the same, |r| <= 0.1624; error 2^-31.0.
#define TFP_ATAN_OCTAVES_float(x)                                                       \
    ((-0x1.195f24p-3f * (x) + 0x1.996e3p-3f) * (x) + -0x1.55553ep-2f)

// the same, in two chains; error 2^-54.7.
#define TFP_ATAN_HALVED_double(x, z)                                                    \
    ((((-0x1.653d3aa3bf8a4p-5 * (z) + -0x1.1006848bc5b84p-4) * (z) +                    \
    -0x1.745bc63a3ee2bp-4) * (z) + -0x1.24924905ed916p-3) * (z) +                       \
    -0x1.5555555555324p-2 + (x) * ((((0x1.5ca798c97092ep-6 * (z) +                      \
    0x1.d2625a8b86215p-5) * (z) + 0x1.3afc5e6e6aed1p-4) * (z) + 0x1.c71c65f25cb66p-4)   \
    * (z) + 0x1.999999994ad93p-3))

// the same, |r| <= 0.0992; error 2^-54.6.
#define TFP_ATAN_TABLE_double(x)                                                        \
    ((((-0x1.6b5c3d75f53b4p-4 * (x) + 0x1.c703af1ff25cbp-4) * (x) +                     \
    -0x1.249239a5b49b3p-3) * (x) + 0x1.9999999120a35p-3) * (x) +                        \
    -0x1.555555555494bp-2)

// asin r = r + r^3 P(r^2), |r| <= 1/2; error 2^-27.6.
#define TFP_ASIN_float(x)                                                               \
    ((((0x1.59dadap-5f * (x) + 0x1.8ba25p-6f) * (x) + 0x1.748c64p-5f) * (x) +           \
    0x1.33014ep-4f) * (x) + 0x1.5555cap-3f)

// asin r = r + r^3 P(r^2), |r| <= 1/2; error 2^-55.9.
#define TFP_ASIN_double(x, z, w)                                                        \
    (((((0x1.05cdd3820bbbfp-5 * (x) + -0x1.0af360513081p-6) * (z) +                     \
    (0x1.40b102ea64733p-6 * (x) + 0x1.aab4d628b4772p-8))) * (w) +                       \
    ((0x1.8ee4880975d82p-7 * (x) + 0x1.c6f8819fc296ep-7) * (z) + (0x1.1c6c2798cb84bp-6  \
    * (x) + 0x1.6e89ef7b3329fp-6))) * (w) + ((0x1.f1c72c6d51caep-6 * (x) +              \
    0x1.6db6db41d37edp-5) * (z) + (0x1.333333336f89fp-4 * (x) +                         \
    0x1.5555555555387p-3)))

// erfc x = e^(-x^2) / (x + 3) P((x - 3) / (x + 3)), x in [0, 10.5]; error 2^-28.6.
#define TFP_ERFC_float(x, z)                                                            \
    ((((-0x1.f6f6b6p-12f * (z) + -0x1.41fd34p-10f) * (z) + 0x1.e997a6p-4f) * (z) +      \
    0x1.2e3266p-1f) * (z) + 0x1.12f21ep+0f + (x) * ((((-0x1.533736p-12f * (z) +         \
    0x1.93d668p-9f) * (z) + -0x1.b7c14cp-6f) * (z) + -0x1.3deac6p-2f) * (z) +           \
    -0x1.c44c48p-1f))

// e^r = 1 + r + r^2 P(r), |r| <= ln(2)/2, for erfc; error 2^-51.6.
#define TFP_EXP_ERFC_double(x, z, w)                                                    \
    ((((0x1.27078cbc6481bp-22)) * (w) + ((0x1.72e91b78f7e5cp-19 * (x) +                 \
    0x1.a01b7c7184836p-16) * (z) + (0x1.a0198d57d1936p-13 * (x) +                       \
    0x1.6c16c0c82163dp-10))) * (w) + ((0x1.11111125b410ap-7 * (x) +                     \
    0x1.555555558911ep-5) * (z) + (0x1.55555555507c4p-3 * (x) +                         \
    0x1.ffffffffffed2p-2)))

// log gamma x = Stirling's formula + P(1/x^2) / x, x >= 4; error 2^-61.5.
#define TFP_STIRLING_double(x)                                                          \
    ((((((((0x1.f5ddec852a2e2p-6 * (x) + -0x1.13599c82759c6p-6) * (x) +                 \
    0x1.71f15334406f9p-8) * (x) + -0x1.ee943fec1d2aep-10) * (x) +                       \
    0x1.b8e4be7b33a8ep-11) * (x) + -0x1.3811b22e303adp-11) * (x) +                      \
    0x1.a019fd21047ebp-11) * (x) + -0x1.6c16c16aa9f57p-9) * (x) +                       \
    0x1.5555555555501p-4)

// log gamma(1+u) = u (u-1) P(u), u in [0, 1]; error 2^-56.9.
#define TFP_LGAMMA_double(x)                                                            \
    ((((((((((((((((((((0x1.9674bc800310bp-17 * (x) + -0x1.24e4a0888270ap-13) * (x) +   \
    0x1.90e22bba9fa67p-11) * (x) + -0x1.5c7aeeeec20e7p-9) * (x) +                       \
    0x1.b364251599f0bp-8) * (x) + -0x1.a501fde48958fp-7) * (x) + 0x1.4d0ec8d3a2a0cp-6)  \
    * (x) + -0x1.c4a0d1c5dddebp-6) * (x) + 0x1.149772ddd87dcp-5) * (x) +                \
    -0x1.3d05eb8a6014fp-5) * (x) + 0x1.60763ddd93971p-5) * (x) +                        \
    -0x1.84b23fae6d8e4p-5) * (x) + 0x1.ae647b42d66e6p-5) * (x) +                        \
    -0x1.e17cb572729aap-5) * (x) + 0x1.1154fccf2a69fp-4) * (x) +                        \
    -0x1.3cb1f3e4d4de8p-4) * (x) + 0x1.79cf9bfdb9p-4) * (x) + -0x1.d7a3e6a66e559p-4) *  \
    (x) + 0x1.3e5452047c62bp-3) * (x) + -0x1.f6465978d4648p-3) * (x) +                  \
    0x1.2788cfc6fb619p-1)

// tan r = r (1 + z ABOVE(z)) / (1 + z BELOW(z)), z = r^2, |r| <= pi/4; error 2^-26.1.
#define TFP_TAN_ABOVE_float(x)                                                          \
    (0x1.1566acp-10f * (x) + -0x1.c71c72p-4f)

// tan r = r (1 + z ABOVE(z)) / (1 + z BELOW(z)), z = r^2, |r| <= pi/4; error 2^-26.1.
#define TFP_TAN_BELOW_float(x)                                                          \
    (0x1.041042p-6f * (x) + -0x1.c71c72p-2f)

// tan r = r (1 + z ABOVE(z)) / (1 + z BELOW(z)), z = r^2, |r| <= pi/4; error 2^-60.0.
#define TFP_TAN_ABOVE_double(x)                                                         \
    (((0x1.f28db670be53bp-26 * (x) + -0x1.e20001e20001ep-16) * (x) +                    \
    0x1.010101010101p-8) * (x) + -0x1.1919191919192p-3)

// tan r = r (1 + z ABOVE(z)) / (1 + z BELOW(z)), z = r^2, |r| <= pi/4; error 2^-60.0.
#define TFP_TAN_BELOW_double(x)                                                         \
    (((0x1.5e8ba44745d2dp-20 * (x) + -0x1.a5c001a5c001ap-12) * (x) +                    \
    0x1.c1c1c1c1c1c1cp-6) * (x) + -0x1.e1e1e1e1e1e1ep-2)

// erf x = x ABOVE(x^2) / BELOW(x^2), |x| <= 3.97; error 2^-26.5.
#define TFP_ERF_ABOVE_float(x, z)                                                       \
    ((0x1.b60ff8p-12f * (z) + 0x1.cafc12p-5f) * (z) + 0x1.20dd76p+0f + (x) *            \
    ((0x1.d4b446p-18f * (z) + 0x1.19655ep-8f) * (z) + 0x1.8d7c34p-3f))

// erf x = x ABOVE(x^2) / BELOW(x^2), |x| <= 3.97; error 2^-26.5.
#define TFP_ERF_BELOW_float(x, z)                                                       \
    (((0x1.2372cp-22f * (z) + 0x1.7a7ab2p-10f) * (z) + 0x1.e3bbdap-4f) * (z) + 0x1p+0f  \
    + (x) * ((0x1.3667f4p-14f * (z) + 0x1.0d7d98p-6f) * (z) + 0x1.02bb7p-1f))

// erf x = x ABOVE(x^2) / BELOW(x^2), |x| <= 5.9; error 2^-51.9.
#define TFP_ERF_ABOVE_double(x, z)                                                      \
    ((((((0x1.c80ee2d8034d4p-54 * (z) + 0x1.8bcc1b68d943bp-38) * (z) +                  \
    0x1.2acd065a9962dp-27) * (z) + 0x1.2a093da5e7aa9p-18) * (z) +                       \
    0x1.dcaf845e87612p-11) * (z) + 0x1.1466f46e36309p-4) * (z) + 0x1.20dd750429b6dp+0   \
    + (x) * (((((0x1.e55cefa5690c4p-45 * (z) + 0x1.0d69c0add4e9fp-32) * (z) +           \
    0x1.b72a9b9844d01p-23) * (z) + 0x1.084314fd0fe3dp-14) * (z) +                       \
    0x1.db35a50ec1997p-8) * (z) + 0x1.ccbce53f5ef1cp-3))

// erf x = x ABOVE(x^2) / BELOW(x^2), |x| <= 5.9; error 2^-51.9.
#define TFP_ERF_BELOW_double(x, z)                                                      \
    ((((((0x1.af13e032bbcd5p-49 * (z) + 0x1.56300ab8ce01ap-35) * (z) +                  \
    0x1.76e3fb609f3e8p-25) * (z) + 0x1.23418b6ddc144p-16) * (z) +                       \
    0x1.62e580679bbfap-9) * (z) + 0x1.1956d47dd1596p-3) * (z) + 0x1p+0 + (x) *          \
    ((((((0x1.b2fc9c19fad84p-60 * (z) + 0x1.6cb95e7433c43p-41) * (z) +                  \
    0x1.a0d3acf70dd98p-30) * (z) + 0x1.06575111f5563p-20) * (z) +                       \
    0x1.00d147683f72ap-12) * (z) + 0x1.74d4b8d5f7fddp-6) * (z) +                        \
    0x1.10bf09d5f7eafp-1))

// erfc x = e^(-x^2) 2^64 ABOVE(x) / BELOW(x), x in [0, 27.3]; error 2^-53.1.
#define TFP_ERFC_ABOVE_double(x, z)                                                     \
    ((((0x1.2bf026e4396fap-10 * (z) + 0x1.04e073995f33ap-4) * (z) +                     \
    0x1.8993660e7ea04p-1) * (z) + 0x1.2daa4a639a5b4p+1) * (z) + 0x1p+0 + (x) *          \
    ((((0x1.f3d78b53335bfp-15 * (z) + 0x1.5fb4f48ffd889p-7) * (z) +                     \
    0x1.0bdcc1d4a0689p-2) * (z) + 0x1.9de35576bb97bp+0) * (z) + 0x1.17580c0a5973cp+1))

// erfc x = e^(-x^2) 2^64 ABOVE(x) / BELOW(x), x in [0, 27.3]; error 2^-53.1.
#define TFP_ERFC_BELOW_double(x, z)                                                     \
    (((((0x1.baf9318772c68p+50 * (z) + 0x1.388ea92b0be36p+58) * (z) +                   \
    0x1.e475be03478cap+62) * (z) + 0x1.8b45843eb1062p+65) * (z) +                       \
    0x1.45ec4107dd557p+66) * (z) + 0x1p+64 + (x) * ((((0x1.09d02ed112abp+55 * (z) +     \
    0x1.d28b9c6e36001p+60) * (z) + 0x1.6afcd345d0e46p+64) * (z) +                       \
    0x1.337e1604c113p+66) * (z) + 0x1.a7c6c68c6e4edp+65))

// Constants, rounded to the type.
#define TFK_LOG2E_float 0x1.715476p+0f
#define TFK_LOG2E_double 0x1.71547652b82fep+0
#define TFK_LN2_float 0x1.62e43p-1f
#define TFK_LN2_double 0x1.62e42fefa39efp-1
#define TFK_LOG2_10_float 0x1.a934fp+1f
#define TFK_LOG2_10_double 0x1.a934f0979a371p+1
#define TFK_LOG10E_float 0x1.bcb7b2p-2f
#define TFK_LOG10E_double 0x1.bcb7b1526e50ep-2
#define TFK_PI_float 0x1.921fb6p+1f
#define TFK_PI_double 0x1.921fb54442d18p+1
#define TFK_INV_PI_float 0x1.45f306p-2f
#define TFK_INV_PI_double 0x1.45f306dc9c883p-2
#define TFK_TWO_OVER_PI_float 0x1.45f306p-1f
#define TFK_TWO_OVER_PI_double 0x1.45f306dc9c883p-1
#define TFK_SQRT_HALF_float 0x1.6a09e6p-1f
#define TFK_SQRT_HALF_double 0x1.6a09e667f3bcdp-1
#define TFK_TAN_PI_8_float 0x1.a8279ap-2f
#define TFK_TAN_PI_8_double 0x1.a827999fcef32p-2
#define TFK_TAN_3PI_8_float 0x1.3504f4p+1f
#define TFK_TAN_3PI_8_double 0x1.3504f333f9de6p+1
#define TFK_SQRT_2PI_double 0x1.40d931ff62706p+1
#define TFK_STIRLING_double 0x1.acfe390c97d69p-2
#define TFK_LOG2E_POW_double 0x1.ec709dc3a03fdp-1
#define TFK_TWO_THIRDS_double 0x1.5555555555555p-1
#define TFK_POW_LOW_float 0x1.59999ap-1f
#define TFK_THIRD_float 0x1.555556p-2f

// High parts with trailing zeros, so that a product with an exponent is exact
// (Cody and Waite 1980), and what is left of the number.
#define TFK_LN2_HI_float 0x1.62e4p-1f
#define TFK_LN2_LO_float 0x1.7f7d1cp-20f
#define TFK_LN2_HI_double 0x1.62e42feep-1
#define TFK_LN2_LO_double 0x1.a39ef35793c76p-33
#define TFK_LG2_HI_float 0x1.344p-2f
#define TFK_LG2_LO_float 0x1.3509f8p-18f
#define TFK_LG2_HI_double 0x1.34413508p-2
#define TFK_LG2_LO_double 0x1.f79fef311f12bp-34
#define TFK_LN2_POW_HI_double 0x1.0a2b23f2p+0
#define TFK_LN2_POW_LO_double 0x1.bab73681aed59p-32

// Sums of two numbers of the type.
#define TFK_PI_FIRST_float 0x1.921fb6p+1f
#define TFK_PI_REST_float -0x1.777a5cp-24f
#define TFK_PI_FIRST_double 0x1.921fb54442d18p+1
#define TFK_PI_REST_double 0x1.1a62633145c07p-53
#define TFK_PI_2_FIRST_float 0x1.921fb6p+0f
#define TFK_PI_2_REST_float -0x1.777a5cp-25f
#define TFK_PI_2_FIRST_double 0x1.921fb54442d18p+0
#define TFK_PI_2_REST_double 0x1.1a62633145c07p-54
#define TFK_PI_4_FIRST_float 0x1.921fb6p-1f
#define TFK_PI_4_REST_float -0x1.777a5cp-26f
#define TFK_PI_4_FIRST_double 0x1.921fb54442d18p-1
#define TFK_PI_4_REST_double 0x1.1a62633145c07p-55
#define TFK_LOG2E_FIRST_float 0x1.715476p+0f
#define TFK_LOG2E_REST_float 0x1.4ae0cp-26f
#define TFK_LOG2E_FIRST_double 0x1.71547652b82fep+0
#define TFK_LOG2E_REST_double 0x1.777d0ffda0d24p-56
#define TFK_LOG2_10_FIRST_float 0x1.a934fp+1f
#define TFK_LOG2_10_REST_float 0x1.2f346ep-24f
#define TFK_LOG2_10_FIRST_double 0x1.a934f0979a371p+1
#define TFK_LOG2_10_REST_double 0x1.7f2495fb7fa6dp-53

// What such sums still lack, where products are fused.
#define TFK_PI_LAST_float -0x1.ee59dap-49f
#define TFK_PI_2_LAST_double -0x1.f1976b7ed8fbcp-110

// What FIRST lacks of pi, cut to a number and the rest of it: none of them is negative.
#define TFK_PI_SECOND_double 0x1.1a62633145c06p-53
#define TFK_PI_THIRD_double 0x1.c1cd129024e09p-106

// pi/2 in parts of 33 bits; REST after one part, and after three.
#define TFK_PI_2_PART1_double 0x1.921fb544p+0
#define TFK_PI_2_REST1_double 0x1.0b4611a626331p-34
#define TFK_PI_2_PART2_double 0x1.0b4611a6p-34
#define TFK_PI_2_PART3_double 0x1.3198a2ep-69
#define TFK_PI_2_REST3_double 0x1.b839a252049c1p-104

// pi in parts of 13 bits, and the rest.
#define TFK_PI_PART1_float 0x1.921p+1f
#define TFK_PI_PART2_float 0x1.f6ap-12f
#define TFK_PI_PART3_float 0x1.11p-25f
#define TFK_PI_PART4_float 0x1.68c234p-38f

// pi in parts of 8 bits, and the rest.
#define TFK_PI_BYTE1_float 0x1.92p+1f
#define TFK_PI_BYTE2_float 0x1.fap-11f
#define TFK_PI_BYTE3_float 0x1.54p-19f
#define TFK_PI_BYTE4_float 0x1.10b462p-29f

// The bits of 2/pi behind the point, after one word of zeros.
#define TFK_TWO_OVER_PI_WORDS                                                           \
    0x0000000000000000ul, 0xa2f9836e4e441529ul, 0xfc2757d1f534ddc0ul,                   \
    0xdb6295993c439041ul, 0xfe5163abdebbc561ul, 0xb7246e3a424dd2e0ul,                   \
    0x06492eea09d1921cul, 0xfe1deb1cb129a73eul, 0xe88235f52ebb4484ul,                   \
    0xe99c7026b45f7e41ul, 0x3991d639835339f4ul, 0x9c845f8bbdf9283bul,                   \
    0x1ff897ffde05980ful, 0xef2f118b5a0a6d1ful, 0x6d367ecf27cb09b7ul,                   \
    0x4f463f669e5fea2dul, 0x7527bac7ebe5f17bul, 0x3d0739f78a5292eaul,                   \
    0x6bfb5fb11f8d5d08ul, 0x56033046fc7b6babul, 0xf0cfbc209af4361dul

// For powers of doubles: numbers c near the inverses of 16 parts of a range, -log2(c) of each; the bits of
// 2^(i/16) less those of i/16 in the exponent, and what these lose of it.
#define TFK_POW_ROOT_double 0x1.65c29p-1
#define TFK_POW_SCALES                                                                  \
    0x1.66c60672f2cf8p+0, 0x1.57b859fe58b39p+0, 0x1.49e109ae60a39p+0,                   \
    0x1.3d1c0b832dcb4p+0, 0x1.314ab449bfa37p+0, 0x1.2652c037b3ecp+0,                    \
    0x1.1c1d9303ae7e8p+0, 0x1.129792ea8879p+0, 0x1.09afb815d7571p+0, 0x1p+0,            \
    0x1.e6a736940bd02p-1, 0x1.cb5d3d6b56e4cp-1, 0x1.b2f925ca2535ep-1,                   \
    0x1.9d0ab3ea2d61bp-1, 0x1.89373f1a03b98p-1, 0x1.7734b7504687fp-1
#define TFK_POW_STEPS                                                                   \
    -0x1.febe53b6196acp+9, -0x1.feb6695da098p+9, -0x1.feaed251261bcp+9,                 \
    -0x1.fea787fce1774p+9, -0x1.fea0848cb3ea8p+9, -0x1.fe99c2cfc8a4p+9,                 \
    -0x1.fe933e23c65f4p+9, -0x1.fe8cf25c1a75p+9, -0x1.fe86dbba864ap+9, -0x1.fe8p+9,     \
    -0x1.fe769fbfd24b4p+9, -0x1.fe6bf7a22bb3cp+9, -0x1.fe61e4673acdcp+9,                \
    -0x1.fe5856a38a7bp+9, -0x1.fe4f413562698p+9, -0x1.fe4698d2b2638p+9
#define TFK_POW_ROOTS                                                                   \
    0x3ff0000000000000ul, 0x3fefb5586cf9890ful, 0x3fef72b83c7d517bul,                   \
    0x3fef387a6e756238ul, 0x3fef06fe0a31b715ul, 0x3feedea64c123422ul,                   \
    0x3feebfdad5362a27ul, 0x3feeab07dd485429ul, 0x3feea09e667f3bcdul,                   \
    0x3feea11473eb0187ul, 0x3feeace5422aa0dbul, 0x3feec49182a3f090ul,                   \
    0x3feee89f995ad3adul, 0x3fef199bdd85529cul, 0x3fef5818dcfba487ul,                   \
    0x3fefa4afa2a490daul
#define TFK_POW_RESTS                                                                   \
    0x0p+0, 0x1.79aa65d837b6dp-54, -0x1.01b15eaa59348p-55, 0x1.68efde3a8a894p-54,       \
    0x1.34d754db0abb6p-55, 0x1.59f48a72a4c6dp-55, 0x1.690cebb7aafbp-56,                 \
    0x1.063e1e21c5409p-54, -0x1.3b3efbf5e2228p-54, -0x1.b32dcb94da51dp-56,              \
    0x1.db72fc1f0eab4p-55, 0x1.1affc2b91ce27p-56, 0x1.c1a7792cb3387p-55,                \
    0x1.36eae30af0cb3p-56, 0x1.4a385a63d07a7p-56, -0x1.ff7128fd391fp-55

// For atan: numbers near the middles of 16 parts of the positive numbers, and their angles.
#define TFK_ATAN_OCTAVES_float                                                          \
    0x1.5a035p+1f, 0x1.5680a8p+2f, 0x1p+64f, 0x0p+0f, 0x1.7e748p-3f, 0x1.7ab4f4p-2f,    \
    0x1.70e936p-1f, 0x1.630fb8p+0f
#define TFK_ATAN_OCTAVES_float_ANGLES                                                   \
    0x1.376b32p+0f, 0x1.62d546p+0f, 0x1.921fb6p+0f, 0x0p+0f, 0x1.7a1996p-3f,            \
    0x1.6abb94p-2f, 0x1.3fadap-1f, 0x1.e46902p-1f
#define TFK_ATAN_CENTERS_float                                                          \
    0x1.34e716p+1f, 0x1.b78fa8p+1f, 0x1.339e86p+2f, 0x1.b6edbp+2f, 0x1.333edp+3f,       \
    0x1p+64f, 0x0p+0f, 0x1.bfd5a8p-4f, 0x1.3fa53p-3f, 0x1.bf7b8ap-3f, 0x1.3ec09cp-2f,   \
    0x1.be7c1p-2f, 0x1.3c50d6p-1f, 0x1.bbf4bap-1f, 0x1.383628p+0f, 0x1.b91462p+0f
#define TFK_ATAN_CENTERS_float_ANGLES                                                   \
    0x1.2d8f08p+0f, 0x1.499532p+0f, 0x1.5d9ccp+0f, 0x1.6d0eccp+0f, 0x1.778e92p+0f,      \
    0x1.921fb6p+0f, 0x0p+0f, 0x1.be1014p-4f, 0x1.3d1648p-3f, 0x1.b88f0ap-3f,            \
    0x1.35046p-2f, 0x1.a50922p-2f, 0x1.1b584ep-1f, 0x1.6dbdd6p-1f, 0x1.c49c3cp-1f,      \
    0x1.0b7fbap+0f
#define TFK_ATAN_CENTERS_double                                                         \
    0x1.3504f333f8ee8p+1, 0x1.b78f34fc55a75p+1, 0x1.33b6101db2e3ap+2,                   \
    0x1.b70b2ceac5038p+2, 0x1.3354f7937be1ap+3, 0x1p+64, 0x0p+0, 0x1.bfe4566cb1b4cp-4,  \
    0x1.3fb1faabbefe9p-3, 0x1.bf9535a9653c2p-3, 0x1.3edd6983a85c3p-2,                   \
    0x1.be89019b53295p-2, 0x1.3c6ef372fe565p-1, 0x1.bc0e24947fa34p-1,                   \
    0x1.3845118db56c7p+0, 0x1.b9224dab8bfefp+0
#define TFK_ATAN_CENTERS_double_ANGLES                                                  \
    0x1.2d97c7f331d6ep+0, 0x1.49952004c9077p+0, 0x1.5da0a7c6d9931p+0,                   \
    0x1.6d114072b01ddp+0, 0x1.779078c2f842dp+0, 0x1.921fb54442d18p+0, 0x0p+0,           \
    0x1.be1e9605797e7p-4, 0x1.3d22c4c923303p-3, 0x1.b8a78a27d6da8p-3,                   \
    0x1.351ea1f3da04dp-2, 0x1.a514023a35f2ap-2, 0x1.1b6e192ebbb6fp-1,                   \
    0x1.6dcc57bb55babp-1, 0x1.c4a8393630f9bp-1, 0x1.0b833be16575ap+0

#endif // TF_BUILTINS_LIB_POLYNOMIALS_H
