export { ToolError } from './tool-error.ts'
