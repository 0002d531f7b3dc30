export { pack } from './pack.ts'
