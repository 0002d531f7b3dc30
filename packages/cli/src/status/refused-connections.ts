import type { ConnectionsStatus } from '@switchboard/daemon/client'

/** One line; undefined when none was refused, or the daemon is older than the question. */
export function describeRefused(connections: ConnectionsStatus | undefined): string | undefined {
  if (connections === undefined) return undefined
  const { http, socket, file_limit: limit, last_refused_at: last } = connections
  if (http.refused + socket.refused === 0) return undefined
  const where = [
    ...(http.refused === 0 ? [] : [`${http.refused} over HTTP (at most ${http.most} at once)`]),
    ...(socket.refused === 0 ? [] : [`${socket.refused} to the socket (at most ${socket.most} at once)`]),
  ].join(', ')
  const why = limit === null ? '' : `; the daemon may open ${limit} files`
  return `connections were refused: ${where}${why}${last === undefined ? '' : `, last at ${last}`}`
}
