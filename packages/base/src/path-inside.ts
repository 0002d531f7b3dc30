import { isAbsolute, relative, sep } from 'node:path'

/** The root itself counts. By the text alone: whoever minds links gives real paths. */
export function isPathInside(root: string, path: string): boolean {
  const way = relative(root, path)
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way))
}
