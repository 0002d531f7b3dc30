export type { CheckTurn } from './check-apart.ts'
export { compileOwnSchema, type ErrorObject, type ValidateFunction } from './compile-schema.ts'
export {
  createArgumentsError,
  describeProblems,
  describeWrongValue,
  type FieldProblem,
  formatProblems,
} from './describe-problems.ts'
export { describeSchema } from './describe-schema.ts'
export { fitsSchema } from './fits-schema.ts'
export { ForeignSchema } from './foreign-schema.ts'
export {
  createParamError,
  readChoice,
  readCount,
  readFlag,
  readMilliseconds,
  readObject,
  readOptionalText,
  readOptionalTexts,
  readText,
  readTexts,
} from './read-params.ts'
export { type CheckedParams, SchemaChecker } from './schema-checker.ts'
