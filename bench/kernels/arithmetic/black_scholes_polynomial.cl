/* The normal distribution by the polynomial of Abramowitz and Stegun, 26.2.17. */
float normal_distribution(float x)
{
    float k = 1.0f / (1.0f + 0.2316419f * fabs(x));
    float tail = k * (0.319381530f +
                      k * (-0.356563782f +
                           k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    tail *= 0.39894228040f * exp(-0.5f * x * x);
    return x > 0.0f ? 1.0f - tail : tail;
}

__kernel void black_scholes_polynomial(__global float *call, __global float *put,
                                       __global const float *price, __global const float *strike,
                                       __global const float *years, float rate, float volatility)
{
    size_t i = get_global_id(0);
    float s = price[i], k = strike[i], t = years[i];
    float deviation = volatility * sqrt(t);
    float d1 = (log(s / k) + (rate + 0.5f * volatility * volatility) * t) / deviation;
    float d2 = d1 - deviation;
    float discounted = k * exp(-rate * t);
    float n1 = normal_distribution(d1), n2 = normal_distribution(d2);
    call[i] = s * n1 - discounted * n2;
    put[i] = discounted * (1.0f - n2) - s * (1.0f - n1);
}
