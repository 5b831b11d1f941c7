export { FormSheet } from './FormSheet.tsx'
export { type Command, PASSWORD_REFUSALS, type Problem, useCommand } from './use-command.ts'
export { usePress } from './use-press.ts'
