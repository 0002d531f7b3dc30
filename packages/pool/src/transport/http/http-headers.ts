export type HttpHeaders = Readonly<Record<string, string | string[] | undefined>>

export function headerText(headers: HttpHeaders, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

export function isEventStream(headers: HttpHeaders): boolean {
  return (headerText(headers, 'content-type') ?? '').toLowerCase().startsWith('text/event-stream')
}
