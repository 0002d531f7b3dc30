export { type Bench, type BenchOptions, useBench } from './use-bench.ts'
export { WITHOUT_PACKS } from './without-packs.ts'
