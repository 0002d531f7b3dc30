import { refuse } from '../running/refuse.ts'

export function run(): never {
  return refuse('language-server')
}
