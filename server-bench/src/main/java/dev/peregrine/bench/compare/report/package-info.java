/** The comparison's report: one HTML file with plots. */
@NullMarked
package dev.peregrine.bench.compare.report;

import org.jspecify.annotations.NullMarked;
