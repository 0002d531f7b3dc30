import { REQUIREMENTS, type RequirementName, ToolError } from '@switchboard/toolkit'

/** For a tool that has only the one requirement that nothing here can meet; its check has said so before already. */
export function refuseRequirement(requirement: RequirementName): never {
  const { code, message } = REQUIREMENTS[requirement]
  throw new ToolError(code, message)
}
