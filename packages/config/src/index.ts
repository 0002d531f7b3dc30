export { forbidKeysOfOtherKinds } from './file/json-schema.ts'
export {
  type EnabledField,
  type PackDeclaration,
  type PackSection,
  type PackValues,
  packSection,
  packsField,
} from './file/pack-section.ts'
export { type Section, type SectionPlace, section } from './file/section.ts'
export {
  type ConfigProblem,
  explainProblem,
  formatKeyPath,
  formatProblem,
  type KeyPath,
  ProblemList,
} from './problems.ts'
export { createRecord, listType, type RecordEntry, recordType } from './shape/collection-types.ts'
export {
  type Field,
  type FieldTable,
  field,
  type InputOf,
  type KeysOfKind,
  pickKind,
  type ValuesOf,
} from './shape/field.ts'
export {
  booleanType,
  choiceType,
  type DurationInput,
  durationOrOffType,
  durationType,
  type FieldType,
  integerType,
  numberType,
  pathType,
  type ReadContext,
  refuse,
  type TextOptions,
  textOrFalseType,
  textType,
} from './shape/field-types.ts'
export { NAME_EXPECTED, NAME_PATTERN } from './shape/names.ts'
export { type FieldReadings, type ObjectTable, objectType, readFallbacks, readFields } from './shape/object-type.ts'
export { anyObjectType, anyType, selfType } from './shape/open-types.ts'
export { globType, withoutZero } from './shape/special-types.ts'
export { expandHome } from './source/expand-home.ts'
export { createNodeOfValue, findEntry, type Locate, type SourceEntry, type SourceNode } from './source/source-node.ts'
export type { Environment } from './source/variables.ts'
