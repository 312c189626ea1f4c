/**
 * Measures all techniques and renders the results: a page and a plot for each group, and the
 * figures in {@code docs/TECHNIQUES.md}.
 */
@NullMarked
package dev.peregrine.bench.technique.report;

import org.jspecify.annotations.NullMarked;
