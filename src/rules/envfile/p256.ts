/**
 * The curve P-256 (FIPS 186-4, D.1.2.3), as far as checking a key pair needs it: y² = x³ - 3x + b over the field of p,
 * with the base point G of order n. Rules are synchronous, so every check would load a library for it, and few
 * deployments have such a key. Tests compare it with @noble/curves. It never signs, and takes no care against timing.
 */
const P = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn;
const B = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn;
const N = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const G: Jacobian = [
  0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
  0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
  1n,
];

/** X, Y and Z with x = X/Z² and y = Y/Z³; Z = 0 is the point at infinity. */
type Jacobian = readonly [bigint, bigint, bigint];

function mod(value: bigint): bigint {
  const rest = value % P;
  return rest < 0n ? rest + P : rest;
}

function double([x, y, z]: Jacobian): Jacobian {
  if (z === 0n) return [x, y, z];
  const square = mod(y * y);
  const s = mod(4n * x * square);
  const m = mod(3n * (x - z * z) * (x + z * z));
  const nextX = mod(m * m - 2n * s);
  return [nextX, mod(m * (s - nextX) - 8n * square * square), mod(2n * y * z)];
}

function add(a: Jacobian, b: Jacobian): Jacobian {
  if (a[2] === 0n) return b;
  if (b[2] === 0n) return a;
  const [aZ, bZ] = [mod(a[2] * a[2]), mod(b[2] * b[2])];
  const [u, v] = [mod(a[0] * bZ), mod(b[0] * aZ)];
  const [s, t] = [mod(a[1] * b[2] * bZ), mod(b[1] * a[2] * aZ)];
  if (u === v) return s === t ? double(a) : [1n, 1n, 0n];
  const [h, r] = [mod(v - u), mod(t - s)];
  const square = mod(h * h);
  const cube = mod(square * h);
  const x = mod(r * r - cube - 2n * u * square);
  return [x, mod(r * (u * square - x) - s * cube), mod(h * a[2] * b[2])];
}

function multiply(scalar: bigint): Jacobian {
  let sum: Jacobian = [1n, 1n, 0n];
  for (const bit of scalar.toString(2)) {
    sum = double(sum);
    if (bit === "1") sum = add(sum, G);
  }
  return sum;
}

/** True for a point of the curve, given by its affine coordinates. */
export function isOnCurve(x: bigint, y: bigint): boolean {
  return x < P && y < P && mod(y * y) === mod(x * x * x - 3n * x + B);
}

/** True for a number that can be a private key: 1 to n - 1. */
export function isPrivateScalar(d: bigint): boolean {
  return d > 0n && d < N;
}

/** True when (x, y) is the public point of the private key `d`. */
export function isKeyPair(d: bigint, x: bigint, y: bigint): boolean {
  if (!isPrivateScalar(d) || !isOnCurve(x, y)) return false;
  const [pointX, pointY, z] = multiply(d);
  const square = mod(z * z);
  return mod(x * square) === pointX && mod(y * square * z) === pointY;
}
