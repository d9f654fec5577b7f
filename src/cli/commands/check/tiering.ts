/** Runs over fewer deployments end before V8 optimizes much; in longer ones the optimized code has time to pay. */
const FEWEST = 100;
const MOST = 4_000;

/** Bytes of bytecode that a function runs before it is optimized, some eight times what V8 11.3 takes. */
const BUDGET = 500_000;

/**
 * Lets V8 wait before it optimizes, in a run that ends before that pays: the optimizing compiler of Node 20 took a third
 * of all CPU time over a thousand deployments. Node warns that flags which are set while V8 runs may do anything; this
 * number is read anew each time that a function has used up its share, and it is set for V8 11.3 alone, which gets no
 * more releases and was measured with it. Newer ones have other thresholds, and would complain of the flag.
 */
export function optimizeLater(deployments: number): void {
  if (deployments < FEWEST || deployments > MOST || !process.versions.v8.startsWith("11.3.")) return;
  process.getBuiltinModule("node:v8").setFlagsFromString(`--interrupt-budget=${BUDGET}`);
}
