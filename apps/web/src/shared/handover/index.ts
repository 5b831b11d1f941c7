export { canShare, openShareSheet } from './share-sheet.ts'
export { type Handed, useHandOver } from './use-hand-over.ts'
