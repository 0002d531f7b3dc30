import { type FieldProblem, formatProblems } from '@switchboard/config/arguments'
import { ToolError } from './tool-error.ts'

/**
 * What is wrong with the arguments of a call, also what a tool finds that its schema cannot say. It is told under the name of
 * the tool, in the words of the one describer.
 */
export class WrongArguments extends ToolError {
  readonly fields: readonly FieldProblem[]

  constructor(fields: readonly FieldProblem[], options: { hint?: string } = {}) {
    super('invalid_arguments', formatProblems(fields), { ...options, details: { fields } })
    this.name = 'WrongArguments'
    this.fields = fields
  }
}
