"""The same seeded noise as src/test/run-node.ts makes, as float32."""

import numpy as np


def noise(shape, seed=1, beyond=0.0):
    count = int(np.prod(shape))
    state = (seed * 2654435761) & 0xFFFFFFFF or 1
    values = np.empty(count, np.float64)
    for index in range(count):
        state ^= (state << 13) & 0xFFFFFFFF
        state ^= state >> 17
        state ^= (state << 5) & 0xFFFFFFFF
        values[index] = (state / 4294967296) * (1 + 2 * beyond) - beyond
    return values.astype(np.float32).reshape(shape)
