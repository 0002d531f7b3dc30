export { type GatewayConfig, gatewaySection, type ProfileConfig, type RateConfig } from './gateway-section.ts'
