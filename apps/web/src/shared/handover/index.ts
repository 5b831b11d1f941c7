export { canShare, openShareSheet } from './share-sheet.ts'
export { type HandedFile, useHandOver } from './use-hand-over.ts'
