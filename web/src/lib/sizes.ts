/** Bytes as people say them. */

export function size(bytes: number, locale: string): string {
  const [unit, value] = bytes < 1e6 ? (["kilobyte", bytes / 1e3] as const) : bytes < 1e9 ? (["megabyte", bytes / 1e6] as const) : (["gigabyte", bytes / 1e9] as const);
  return new Intl.NumberFormat(locale, { style: "unit", unit, maximumFractionDigits: value < 10 ? 1 : 0 }).format(value);
}
