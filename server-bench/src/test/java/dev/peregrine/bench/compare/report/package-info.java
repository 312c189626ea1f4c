/** Tests of the report. */
@NullMarked
package dev.peregrine.bench.compare.report;

import org.jspecify.annotations.NullMarked;
