/** The rules of a site by patterns of paths, as options set them. */
@NullMarked
package dev.peregrine.cli.rules;

import org.jspecify.annotations.NullMarked;
