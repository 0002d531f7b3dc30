/** The upstream of every gateway that is measured. */
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { createSdkEcho } from './sdk-echo.ts'

await createSdkEcho(Number(process.argv[2] ?? 0)).connect(new StdioServerTransport())
// The SDK's transport does not end with its input.
process.stdin.on('end', () => process.exit(0))
