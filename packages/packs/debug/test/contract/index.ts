/** For tests alone: what every debug engine must do, and how it is asked of the debugger of a VS Code window. */
export { describeEngineContract } from './engine-contract.ts'
export { findWindowEngine, windowEnvironment } from './find-engine.ts'
