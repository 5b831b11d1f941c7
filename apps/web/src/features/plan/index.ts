export { Changes } from './Changes.tsx'
export { type Unit, valueText } from './value-text.ts'
