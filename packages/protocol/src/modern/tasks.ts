/**
 * The tasks extension of the modern era. Any `tools/call` may be answered with a task, but only if that request
 * declared the extension. It has nothing to do with the experimental tasks of 2025-11-25.
 */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks'
