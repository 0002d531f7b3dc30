export { type Bench, type BenchOptions, useBench } from './use-bench.ts'
