export { ErrorBoundary } from './ErrorBoundary.tsx'
export { LazySheet } from './LazySheet.tsx'
export { lazyComponent } from './lazy-component.ts'
export { holdReloads, reloadOnce } from './reload-once.ts'
