import { BothEras } from './both-eras.ts'
import { Upstream, type UpstreamOptions } from './upstream.ts'

/** Over HTTP every request is of its own era; on any other line a server speaks one of them. */
export function createUpstream(options: UpstreamOptions): Upstream | BothEras {
  const { type, era } = options.config
  return type === 'http' && era === 'auto' ? new BothEras(options) : new Upstream(options)
}
