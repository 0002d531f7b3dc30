/** By what a server of the registry can be had. */
export const REGISTRY_WAYS = ['npm', 'pypi', 'oci', 'nuget', 'remote'] as const
export type RegistryWay = (typeof REGISTRY_WAYS)[number]
