/** Loaded pages are not found by the name of their route: an invalidation would read every page again. */
export const loadedPagesKey = (queryKey: readonly unknown[]) => ['loaded pages', ...queryKey]
