export type Matrix = readonly (readonly number[])[];

export function multiply(a: Matrix, b: Matrix): Matrix {
  return a.map((row) => transposed(b).map((column) => dot(row, column)));
}

export function transposed(a: Matrix): Matrix {
  return (a[0] ?? []).map((_, column) => a.map((row) => row[column] as number));
}

export function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] as number), 0);
}

export function scaleColumns(a: Matrix, factors: readonly number[]): Matrix {
  return a.map((row) => row.map((value, column) => value * (factors[column] as number)));
}

const SWEEPS = 30;

/** The eigenvalues of a symmetric matrix, and its eigenvectors as columns, by Jacobi rotations. */
export function eigenSymmetric(symmetric: Matrix): {
  readonly values: readonly number[];
  readonly vectors: Matrix;
} {
  const size = symmetric.length;
  let matrix = symmetric;
  let vectors: Matrix = symmetric.map((_, row) => symmetric.map((_each, column) => (row === column ? 1 : 0)));
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (let p = 0; p < size; p++) {
      for (let q = p + 1; q < size; q++) {
        const rotation = rotationFor(matrix, p, q);
        matrix = multiply(multiply(transposed(rotation), matrix), rotation);
        vectors = multiply(vectors, rotation);
      }
    }
  }
  return { values: matrix.map((row, index) => row[index] as number), vectors };
}

/** The rotation that makes the element at `p`, `q` zero. */
function rotationFor(matrix: Matrix, p: number, q: number): Matrix {
  const at = (row: number, column: number): number => matrix[row]?.[column] ?? 0;
  const off = at(p, q);
  const angle = off === 0 ? 0 : Math.atan2(2 * off, at(q, q) - at(p, p)) / 2;
  const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
  return matrix.map((row, i) =>
    row.map((_, j) => {
      if (i === j) return i === p || i === q ? cosine : 1;
      if (i === p && j === q) return sine;
      return i === q && j === p ? -sine : 0;
    }),
  );
}
