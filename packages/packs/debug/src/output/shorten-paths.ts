/** Makes paths below the workspace relative, wherever they stand in a text. */
export function shortenPaths(text: string, workspace: string | undefined): string {
  if (workspace === undefined || workspace.length < 2) return text
  const withSeparator = /[\\/]$/.test(workspace) ? workspace : `${workspace}${workspace.includes('\\') ? '\\' : '/'}`
  return text.replaceAll(`file://${withSeparator}`, '').replaceAll(withSeparator, '')
}
