"""Images of the examples that a trace lists."""

import numpy as np

COLUMNS = 10  # images per row


def digits(trace, which, columns):
    """(one picture with all images of list `which`, number of images). Empty cells are white."""
    height, width = trace.provenance["data_shape"]["image"]
    listed = trace.tables["listed"]["list"] == which
    images = trace.tables["listed_rows"]["value"].reshape(-1, height, width)[listed]
    rows = -(-max(len(images), 1) // columns)
    gap = 2
    paper = images.min() if len(images) else 0
    sheet = np.full((rows * (height + gap), columns * (width + gap)), paper)
    for place, image in enumerate(images):
        y, x = divmod(place, columns)
        sheet[y * (height + gap) : y * (height + gap) + height, x * (width + gap) : x * (width + gap) + width] = image
    return sheet, len(images)


def show(axes, sheet, title):
    axes.imshow(sheet, cmap="gray_r", interpolation="nearest")
    axes.set_title(title, fontsize=8)
    axes.set_axis_off()
