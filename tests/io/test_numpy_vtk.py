"""VTKHDF opens in h5py and in VTK, PLY and OBJ in VTK; MDD holds what PC2 holds."""
import h5py
import numpy as np
import vtk
from vtk.util.numpy_support import vtk_to_numpy

from recording import FRAMES, check, folder, mdd, record


def points_of(reader, path):
    reader.SetFileName(path)
    reader.Update()
    return vtk_to_numpy(reader.GetOutput().GetPoints().GetData()), reader.GetOutput()


with folder() as out:
    expected = record(out)
    assert len(expected) == FRAMES + 1, len(expected)
    assert np.abs(expected[-1] - expected[0]).max() > 0.01, "nothing moved"
    check("mdd", mdd(f"{out}/first.mdd"), expected, 0.0)

    with h5py.File(f"{out}/first.vtkhdf") as file:
        root = file["VTKHDF"]
        check("h5py", root["Points"][:].reshape(expected.shape), expected, 0.0)
        assert root.attrs["Type"] == b"UnstructuredGrid", root.attrs["Type"]
        assert root["Steps"].attrs["NSteps"] == FRAMES + 1
        assert np.allclose(root["Steps/Values"][:], np.arange(FRAMES + 1) / 60.0)
        faces = len(root["Types"])
        assert root["Offsets"][-1] == len(root["Connectivity"])

    points, grid = points_of(vtk.vtkHDFReader(), f"{out}/first.vtkhdf")
    check("VTK's HDF reader, first frame", points, expected[0], 0.0)
    assert grid.GetNumberOfCells() == faces, (grid.GetNumberOfCells(), faces)
    for frame in (0, FRAMES):
        check(f"VTK's PLY reader, frame {frame}", points_of(vtk.vtkPLYReader(), f"{out}/first_{frame:04d}.ply")[0],
              expected[frame], 0.0)
        check(f"VTK's OBJ reader, frame {frame}", points_of(vtk.vtkOBJReader(), f"{out}/first_{frame:04d}.obj")[0],
              expected[frame])
