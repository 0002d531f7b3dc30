import { refuseRequirement } from '../tool-steps/refuse-requirement.ts'

export function run(): never {
  return refuseRequirement('vscode')
}
