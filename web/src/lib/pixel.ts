/** Drawings scale, text must stay legible: how long a pixel of the screen is in a drawing. */

/** The length of a pixel in units of a drawing that is fitted into a box; 1 while nothing is known. */
export function pixel(box: { width: number; height: number } | undefined, width: number, height: number): number {
  const scale = box ? Math.min(box.width / width, box.height / height) : 1;
  return scale > 0 ? 1 / scale : 1;
}
