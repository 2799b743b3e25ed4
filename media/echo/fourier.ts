/** The discrete Fourier transform of `POINTS` complex points, in place (radix 2). */
export const POINTS = 256;

const STAGES = Math.log2(POINTS);
const COS = Float64Array.from({ length: POINTS / 2 }, (_, i) => Math.cos((2 * Math.PI * i) / POINTS));
const SIN = Float64Array.from({ length: POINTS / 2 }, (_, i) => Math.sin((2 * Math.PI * i) / POINTS));
const REVERSED = Uint8Array.from({ length: POINTS }, (_, i) => {
  let reversed = 0;
  for (let bit = 0; bit < STAGES; bit++) reversed |= ((i >> bit) & 1) << (STAGES - 1 - bit);
  return reversed;
});

/** Transforms `re` and `im` in place. */
export function transform(re: Float64Array, im: Float64Array): void {
  reorder(re);
  reorder(im);
  for (let half = 1; half < POINTS; half *= 2) {
    const stride = POINTS / 2 / half;
    for (let start = 0; start < POINTS; start += 2 * half) {
      for (let i = 0; i < half; i++) {
        const cos = COS[i * stride] as number;
        const sin = SIN[i * stride] as number;
        const low = start + i;
        const high = low + half;
        const a = re[high] as number;
        const b = im[high] as number;
        const turnedRe = a * cos + b * sin;
        const turnedIm = b * cos - a * sin;
        const lowRe = re[low] as number;
        const lowIm = im[low] as number;
        re[high] = lowRe - turnedRe;
        im[high] = lowIm - turnedIm;
        re[low] = lowRe + turnedRe;
        im[low] = lowIm + turnedIm;
      }
    }
  }
}

function reorder(values: Float64Array): void {
  for (let i = 0; i < POINTS; i++) {
    const j = REVERSED[i] as number;
    if (j <= i) continue;
    const value = values[i] as number;
    values[i] = values[j] as number;
    values[j] = value;
  }
}
