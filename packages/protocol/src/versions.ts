/** The protocol revisions and the era each belongs to. */

/** legacy: an `initialize` handshake per connection. modern: metadata on every request, no handshake. */
export type Era = 'legacy' | 'modern'

export const LEGACY_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const
export const MODERN_VERSIONS = ['2026-07-28'] as const

export type LegacyVersion = (typeof LEGACY_VERSIONS)[number]
export type ModernVersion = (typeof MODERN_VERSIONS)[number]

export const LATEST_LEGACY_VERSION: LegacyVersion = LEGACY_VERSIONS[0]
export const LATEST_MODERN_VERSION: ModernVersion = MODERN_VERSIONS[0]

export function isLegacyVersion(version: unknown): version is LegacyVersion {
  return (LEGACY_VERSIONS as readonly unknown[]).includes(version)
}

export function isModernVersion(version: unknown): version is ModernVersion {
  return (MODERN_VERSIONS as readonly unknown[]).includes(version)
}
