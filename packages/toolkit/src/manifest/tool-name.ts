/** Dots and hyphens become underscores: `debug.step-into` is called `debug_step_into`. */
export function toToolName(alias: string): string {
  return alias.replace(/[.-]/g, '_')
}

/** `breakpoint.clear-file` is `BreakpointClearFile` in the names of types. */
export function toTypeName(alias: string): string {
  return splitAlias(alias)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}

/** `breakpoint.clear-file` is `breakpointClearFile` as a variable. */
export function toVariableName(alias: string): string {
  const type = toTypeName(alias)
  return type.charAt(0).toLowerCase() + type.slice(1)
}

function splitAlias(alias: string): string[] {
  return alias.split(/[._-]/).filter((word) => word !== '')
}
