/** Where a note about a place goes: beside it, inside its room, on the side where it covers least of what can be pressed. */

export interface Box { left: number; top: number; right: number; bottom: number }

const APART = 12;
const INSIDE = 4;

/** Its corner, or null where it fits on no side. */
export function beside(spot: Box, size: { width: number; height: number }, room: Box, legal: Box[]): { left: number; top: number } | null {
  const inner = { left: room.left + INSIDE, top: room.top + INSIDE, right: room.right - INSIDE, bottom: room.bottom - INSIDE };
  const across = within((spot.left + spot.right - size.width) / 2, inner.left, inner.right - size.width);
  const along = within((spot.top + spot.bottom - size.height) / 2, inner.top, inner.bottom - size.height);
  const sides = [
    { left: across, top: spot.bottom + APART },
    { left: across, top: spot.top - APART - size.height },
    { left: spot.right + APART, top: along },
    { left: spot.left - APART - size.width, top: along },
  ].filter(({ left, top }) => left >= inner.left && top >= inner.top && left + size.width <= inner.right && top + size.height <= inner.bottom);
  const covered = ({ left, top }: { left: number; top: number }) =>
    legal.filter((one) => one.right > left && one.left < left + size.width && one.bottom > top && one.top < top + size.height).length;
  return sides.sort((one, other) => covered(one) - covered(other))[0] ?? null;
}

const within = (value: number, least: number, most: number): number => Math.max(least, Math.min(value, most));
