@NullMarked
package dev.peregrine.bench.technique.report;

import org.jspecify.annotations.NullMarked;
