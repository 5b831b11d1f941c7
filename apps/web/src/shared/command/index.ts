export { FormSheet } from './FormSheet.tsx'
export { type Command, type CommandProblem, isPasswordRefusal, PASSWORD_REFUSALS, useCommand } from './use-command.ts'
export { usePress } from './use-press.ts'
