/** PostgreSQL clusters of a test's own. */
export { findPostgres, POSTGRES_MISSING, type PostgresInstallation } from './installation.ts'
export { PostgresCluster, type PostgresClusterOptions, type StopMode } from './postgres-cluster.ts'
