"""How PyTorch prints tensors. Run: python3 packages/nodes/test/referee/tensor_text.py"""

import torch

from fixture import write_fixture
from noise import noise

torch.set_printoptions(edgeitems=6)


def case(shape, *, scale=1.0, offset=0.0, whole=False, seed=1):
    data = torch.from_numpy(noise(shape, seed)) * scale + offset
    if whole:
        data = data.floor()
    return [list(shape), seed, scale, offset, whole, str(data)]


cases = [
    case((1, 3, 4, 3)), case((2, 2, 2)), case((1, 1, 1)), case((1, 20, 20, 3)), case((1, 2, 40)), case((3, 5, 7, 4), seed=2),
    case((1, 2, 3), scale=1000), case((1, 2, 3), scale=1e-5), case((1, 2, 3), scale=5e9), case((1, 4, 4), scale=10, whole=True),
    case((1, 4, 4), scale=100000, whole=True), case((1, 4, 4), scale=0), case((1, 4, 4), scale=-1, offset=-0.5), case((1, 30, 40), scale=2, offset=-1),
    case((14, 13, 6, 1), seed=3), case((1, 100, 3, 4), scale=0, offset=0.03125), case((1, 0, 4)),
]
special = torch.tensor([[[float("nan"), 1.5, float("inf")], [float("-inf"), -2.0, -0.0]]])
write_fixture("tensor-text", {"cases": cases, "special": [str(special), str({"samples": torch.zeros(1, 4, 2, 3)})]})
